// What a key may be used for, and where it may come from. Most keys may everything from everywhere, and nothing here
// runs for them.
//
// A page in a browser shows its key to everybody who looks. The origins of a key keep it from being used by other
// pages, whose browsers say where they are; a program can say anything. Networks hold for programs too.

import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { Account } from '../tables/accounts/account_record.ts';

/** What a request asks, and where it comes from. */
export interface Use {
  /** Of `LOG_ROUTES`. */
  route: string;
  /** Of the page that asks, as browsers say it; undefined where none does. */
  origin: string | undefined;
  /** Of the client; undefined when it has disconnected. */
  address: string | undefined;
}

/** Why a request is refused. `place`: by its origin or its address. */
type UseRefusal = 'route' | 'place';

/** Networks of accounts, as long as a thread remembers these. */
const lists = new WeakMap<Account, BlockList>();

/** True if a key may not do everything from everywhere. */
export function isRestricted({ routes, origins, networks }: Account): boolean {
  return routes !== undefined || origins !== undefined || networks !== undefined;
}

/** Why a key may not be used so; undefined if it may. */
export function refusalOf(account: Account, { route, origin, address }: Use): UseRefusal | undefined {
  const { routes, origins, networks } = account;
  if (routes !== undefined && !routes.includes(route)) return 'route';
  if (origins !== undefined && !(origin !== undefined && origins.includes(origin))) return 'place';
  return networks === undefined || isWithin(listOf(account, networks), address) ? undefined : 'place';
}

function listOf(account: Account, networks: readonly string[]): BlockList {
  let list = lists.get(account);
  if (list === undefined) {
    list = new BlockList();
    for (const network of networks) {
      const [address, bits] = network.split('/');
      const family = isIPv4(address) ? 'ipv4' : 'ipv6';
      list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
    }
    lists.set(account, list);
  }
  return list;
}

/** @param address of IPv4 also in its form of IPv6, as a socket for both has it */
function isWithin(list: BlockList, address = ''): boolean {
  if (isIPv4(address)) return list.check(address, 'ipv4');
  return isIPv6(address) && list.check(address, 'ipv6');
}
