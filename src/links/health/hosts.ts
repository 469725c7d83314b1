import { hostnameOf } from '../../network/hosts.ts';
import { HostWaits } from '../../network/host-waits.ts';

/** When the hosts of a pass may be requested: once a second each, and not while they ask to be left alone. */
export class HostPace extends HostWaits {
  readonly #paceMs: number;
  readonly #nextAt = new Map<string, number>();

  /** @param paceMs the time between two requests to a host, in milliseconds */
  constructor(paceMs: number) {
    super();
    this.#paceMs = paceMs;
  }

  /** Waits for the turn of a request to the host of a URL. */
  async turn(url: URL): Promise<void> {
    const [host, now] = [hostnameOf(url), Date.now()];
    const at = Math.max(now, this.#nextAt.get(host) ?? 0);
    this.#nextAt.set(host, at + this.#paceMs);
    if (at > now) await scheduler.wait(at - now);
  }
}
