import type { DecodedPacket } from 'dns-packet';
import { logProblem } from '../isolate/log.ts';
import { askDns, rcodeOf } from '../network/dns.ts';
import { isName } from './dns-name.ts';

/**
 * Returns those of some hosts that a filtering resolver blocks. Never throws: a host without an answer in time counts
 * as not blocked.
 */
export type TargetFilter = (hosts: readonly string[], timeoutMs: number) => Promise<ReadonlySet<string>>;

// RFC 8914, sections 4.16 to 4.18: Blocked, Censored, Filtered.
const BLOCKING_REASONS: ReadonlySet<number> = new Set([15, 16, 17]);
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;
const NOWHERE = '0.0.0.0';

/**
 * A filter by DNS over HTTPS. A resolver may say that it blocks a name (RFC 8914). If it only answers that the name
 * does not exist, or that its address is 0.0.0.0, that may be true: it counts as blocked if the other resolver gives an
 * address.
 *
 * @param filtering the resolver that filters
 * @param unfiltered a resolver that does not
 */
export function openTargetFilter(filtering: URL, unfiltered: URL): TargetFilter {
  return async (hosts, timeoutMs) => {
    const names = [...new Set(hosts)].filter(isName);
    const signal = AbortSignal.timeout(timeoutMs);
    const isFiltered = async (name: string) => {
      const response = await askDns(filtering, { type: 'A', name }, signal);
      if (givesReason(response)) return true;
      if (rcodeOf(response) !== NO_SUCH_NAME && !hasNoRealAddress(response)) return false;
      const truth = await askDns(unfiltered, { type: 'A', name }, signal);
      return rcodeOf(truth) === NO_ERROR && !hasNoRealAddress(truth);
    };
    const filtered = await Promise.all(
      names.map((host) =>
        isFiltered(host).catch((cause: unknown) => {
          logProblem('target_filter_failed', cause);
          return false;
        }),
      ),
    );
    return new Set(names.filter((_, index) => filtered[index]));
  };
}

function givesReason({ additionals = [] }: DecodedPacket): boolean {
  return additionals.some(
    (record) => record.type === 'OPT' && record.options.some(({ code, data }) => isBlockingReason(code, data)),
  );
}

const EXTENDED_ERROR = 15;

function isBlockingReason(optionCode: number, data: Buffer | undefined): boolean {
  if (optionCode !== EXTENDED_ERROR || data === undefined || data.length < 2) return false;
  return BLOCKING_REASONS.has(data.readUInt16BE(0));
}

function hasNoRealAddress({ answers: responses = [] }: DecodedPacket): boolean {
  return responses.some((record) => record.type === 'A' && record.data === NOWHERE);
}
