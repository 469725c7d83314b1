import { hextetsOf } from '../../../network/hextets.ts';
import { conditionType, type AnyCondition } from './condition-type.ts';
import { anyOf } from './values.ts';

/** A condition on the network of a visitor's IP address. */
interface AddressCondition extends AnyCondition {
  readonly type: 'address';
  /** Networks in CIDR notation, in their usual spelling. */
  readonly in: readonly string[];
}

export const address = conditionType<AddressCondition>({
  label: 'IP address',
  fits: ({ in: networks }) => {
    const prefixes = networks.map(prefixOf);
    return ({ addressHextets: address }) => {
      if (address === null) return false;
      const isIpv4 = isMapped(address);
      return prefixes.some((prefix) => prefix.isIpv4 === isIpv4 && begins(address, prefix));
    };
  },
  explain: ({ in: networks, not }) => `the IP address is${not ? ' not' : ''} in ${anyOf(networks)}`,
});

interface Prefix {
  readonly isIpv4: boolean;
  readonly hextets: readonly number[];
  readonly bits: number;
}

// The first bits of an IPv4-mapped address.
const MAPPED_BITS = 96;

/** Throws for a text that is no network, so that an entry of KV with one is found when it is checked. */
function prefixOf(network: string): Prefix {
  const [base = '', bits] = network.split('/');
  const hextets = hextetsOf(base);
  if (hextets === null) throw new TypeError('a stored condition has a network that is none');
  const isIpv4 = !base.includes(':');
  return { isIpv4, hextets, bits: Number(bits) + (isIpv4 ? MAPPED_BITS : 0) };
}

const isMapped = (hextets: readonly number[]) => hextets.slice(0, 6).join(':') === '0:0:0:0:0:65535';

function begins(address: readonly number[], { hextets, bits }: Prefix): boolean {
  return hextets.every((hextet, index) => {
    const others = Math.min(16, Math.max(0, 16 * (index + 1) - bits));
    return hextet >>> others === address[index]! >>> others;
  });
}
