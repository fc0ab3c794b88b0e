import { expect, test } from 'vitest';
import { World } from '../../kits/radio/world.ts';

/** Who asks: an account that is not trusted. */
const asker = (account: number) => 2 * account;

/** A home, and places elsewhere, of three access points each. */
async function town(): Promise<World> {
  const places = ['PQR', 'STU', 'VWX', 'JKL'].map((names, n) => ({
    metres: 10,
    map: [...names].join('.'),
    origin: [49.9 + n / 50, 8.65] as const,
  }));
  return World.draw({ metres: 10, map: 'A.B.C\n..1..' }, ...places);
}

/** How many stations an answer rests on. */
function used(world: World, account: number, names: string): number | undefined {
  const question = world.ask().as(asker(account));
  for (const name of names) question.wifi(name, -60);
  return question.answer()?.used;
}

test('a device that an account has sent beside three places where it is not takes no part any more', async () => {
  const world = await town();
  for (const names of ['PQR', 'STU', 'VWX'])
    for (let again = 0; again < 5; again++) expect(used(world, 1, `${names}A`)).toBe(3);
  expect(used(world, 1, 'AB')).toBeUndefined();
  expect(used(world, 1, 'ABC')).toBe(2);
  expect(used(world, 1, 'PQR')).toBe(3);
  // What one account guesses changes nothing for others.
  expect([used(world, 2, 'AB'), used(world, 2, 'ABC')]).toEqual([2, 3]);
});

test('a scan that is not answered guesses each of its devices, beside the same others once', async () => {
  const world = await town();
  for (let again = 0; again < 5; again++) expect(used(world, 1, 'AP')).toBeUndefined();
  for (const other of 'QR') expect(used(world, 1, `A${other}`)).toBeUndefined();
  expect([used(world, 1, 'AB'), used(world, 1, 'PQ')]).toEqual([undefined, 2]);
});

test('a device that was found is known to the account, which may be wrong about it later', async () => {
  const world = await town();
  expect(used(world, 1, 'PQRA')).toBe(3);
  expect(used(world, 1, 'ABC')).toBe(3);
  for (const names of ['STU', 'VWX', 'JKL']) expect(used(world, 1, `${names}A`)).toBe(3);
  expect(used(world, 1, 'AB')).toBe(2);
});

test('an account that was wrong a hundred times is refused what names access points, and nothing else', async () => {
  const world = await town();
  const random = [...'PQRSTUVWXJKL'];
  // Pairs that are not near each other: each is a guess of both.
  for (let n = 0; n < 200; n++) used(world, 3, `${random[n % 12]}${random[(n * 7 + 5) % 12]}`);
  expect(world.ask().as(asker(3)).cell(1, -80).answer()).toBeDefined();
  world.guesses.charge(3, Math.max(0, world.guesses.allowance(3, Date.now()) - 1), Date.now());
  expect(world.ask().as(asker(3)).wifi('A', -60).wifi('B', -60).cell(1, -80).answer()).toBeUndefined();
  expect(world.ask().as(asker(3)).cell(1, -80).answer()).toBeDefined();
  expect(used(world, 4, 'AB')).toBe(2);
});

test('no more devices take part than the account may be wrong about, the loudest', async () => {
  const world = await town();
  world.guesses.charge(1, 98, Date.now());
  const question = world.ask().as(asker(1));
  for (const [n, name] of [...'ABC'].entries()) question.wifi(name, -60 - n);
  expect(question.answer()?.used).toBe(2);
});

test('a device about which ten accounts are wrong has no vote, and takes part where three others win', async () => {
  const world = await town();
  const wrong = (account: number) => used(world, account, 'PQRA');
  for (let account = 1; account <= 9; account++) wrong(account);
  expect(used(world, 20, 'AB')).toBe(2);
  wrong(10);
  expect(used(world, 20, 'AB')).toBeUndefined();
  expect([used(world, 20, 'ABC'), used(world, 20, 'PQRA')]).toEqual([2, 3]);
});

test('the operator guesses nothing', async () => {
  const world = await town();
  for (const names of ['PQR', 'STU', 'VWX', 'JKL']) expect(used(world, 0, `${names}A`)).toBe(3);
  expect(used(world, 0, 'AB')).toBe(2);
  expect(world.guesses.count).toBe(0);
});
