// A bit for each token that has a reading, by its lowest bits: most tokens of names have none, and are passed over by
// one look.

import type { Terms } from './terms.ts';

const BITS = 4_096;
const BIT_MASK = BITS - 1;

/** The tokens that a query's words may mean. */
export class TokenBits {
  private readonly bits = new Uint32Array(BITS / 32);

  constructor({ byToken, prefix }: Terms) {
    for (const token of byToken.keys()) this.add(token);
    if (prefix !== undefined && prefix.to - prefix.from >= BITS) this.bits.fill(-1);
    else for (let token = prefix?.from ?? 0; token < (prefix?.to ?? 0); token++) this.add(token);
  }

  /** False if a token has no reading. */
  mayHave(token: number): boolean {
    return (this.bits[(token & BIT_MASK) >>> 5] & (1 << token)) !== 0;
  }

  private add(token: number): void {
    this.bits[(token & BIT_MASK) >>> 5] |= 1 << token;
  }
}
