// Tells in which buildings a radio is known: a hash table in typed arrays, twelve bytes a slot, at most half full. Most
// radios that devices hear are in no building, and that is told by one look.

const SLOT_EMPTY = -1;

/** Where radios are known. */
export class RadioIndex {
  private readonly radios: Float64Array;
  private readonly buildings: Uint32Array;
  private readonly mask: number;

  /** @param radiosOf the radios of each building, by its id */
  constructor(radiosOf: ReadonlyMap<number, Float64Array>) {
    let count = 0;
    for (const radios of radiosOf.values()) count += radios.length;
    const slots = 1 << (33 - Math.clz32(Math.max(1, count)));
    this.radios = new Float64Array(slots).fill(SLOT_EMPTY);
    this.buildings = new Uint32Array(slots);
    this.mask = slots - 1;
    for (const [building, radios] of radiosOf) for (const radio of radios) this.add(radio, building);
  }

  /** True if a building knows the radio. */
  has(radio: number): boolean {
    return this.radios[this.slotOf(radio)] === radio;
  }

  /** Calls `visit` with the id of each building that knows the radio. */
  forEachBuilding(radio: number, visit: (building: number) => void): void {
    for (let slot = hashOf(radio) & this.mask; this.radios[slot] !== SLOT_EMPTY; slot = (slot + 1) & this.mask)
      if (this.radios[slot] === radio) visit(this.buildings[slot]);
  }

  private slotOf(radio: number): number {
    let slot = hashOf(radio) & this.mask;
    while (this.radios[slot] !== SLOT_EMPTY && this.radios[slot] !== radio) slot = (slot + 1) & this.mask;
    return slot;
  }

  private add(radio: number, building: number): void {
    let slot = hashOf(radio) & this.mask;
    while (this.radios[slot] !== SLOT_EMPTY) slot = (slot + 1) & this.mask;
    this.radios[slot] = radio;
    this.buildings[slot] = building;
  }
}

function hashOf(radio: number): number {
  const mixed = Math.imul((radio % 4_294_967_296) ^ Math.imul(radio / 4_294_967_296, 0x85ebca6b), 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
