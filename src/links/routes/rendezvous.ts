/**
 * Weighted rendezvous hashing: each visitor draws a number for each variant, and the best one for its weight wins. A
 * changed weight moves only visitors to or from its variant, and a new variant moves only visitors to itself. Source:
 * C. Schindelhauer and G. Schomaker, "Weighted distributed hash tables" (2005), the logarithmic method.
 */

/** A hash of 64 bits, as two halves. */
interface Hash {
  readonly high: number;
  readonly low: number;
}

/** A lot that can be drawn, by a name of its own. */
interface Lot {
  readonly name: string;
  /** More than 0. */
  readonly weight: number;
}

/**
 * Gives the index of the lot that an identity draws, which is the same in every isolate.
 *
 * @param scope what makes draws differ from those of the same names elsewhere, such as the id of a link
 */
export function compileDraw(scope: string, lots: readonly Lot[]): (identity: string) => number {
  const seeds = lots.map(({ name, weight }) => ({ ...hashOf(`${scope}\n${name}`), weight }));
  return (identity) => {
    const drawer = hashOf(identity);
    let best = 0;
    let lowest = Infinity;
    for (const [index, seed] of seeds.entries()) {
      const score = -Math.log(mixed(drawer, seed)) / seed.weight;
      if (score >= lowest) continue;
      best = index;
      lowest = score;
    }
    return best;
  };
}

// The first half is FNV-1a. The second one also shifts, so that two texts with the same first half differ in it. Both end
// with a mixer, since the last characters of a text change few bits of the sums.
function hashOf(text: string): Hash {
  let [high, low] = [0x811c9dc5, 0x01000193 ^ text.length];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x5bd1e995);
    low ^= low >>> 15;
  }
  return { high: finished(high), low: finished(low ^ high) };
}

/** A number of 53 bits between 0 and 1, both excluded; all of them are equally likely. */
function mixed(drawer: Hash, seed: Hash): number {
  const high = finished(drawer.high ^ seed.high);
  const low = finished(drawer.low ^ seed.low ^ high);
  return ((high >>> 0) * 2 ** 21 + (low >>> 11) + 0.5) / 2 ** 53;
}

/** The last step of MurmurHash3 (public domain, https://github.com/aappleby/smhasher): each bit changes half of all. */
function finished(half: number): number {
  let bits = half;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
