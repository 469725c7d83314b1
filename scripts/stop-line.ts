import { setTimeout } from 'node:timers/promises';
import type { Miniflare, WebSocket } from 'miniflare';
import { logProblem } from '../src/isolate/log.ts';
import { withTimeout } from '../src/bounds/timeouts.ts';
import { workerdOf } from './children.ts';
import type { StopReport } from './edge/stop.ts';
import { respondWhileStopping, type FrontAddress } from './stopping-front.ts';

/** The stop of the server of `npm start`. */

// Longer than the Worker takes at most, and with what follows less than 8 seconds.
const REPORT_MS = 6500;
const DISPOSE_MS = 1000;
const RETRY_MS = 1000;

/** The line to the Worker of a server, by which it is stopped. */
export class StopLine {
  readonly #server: Miniflare;
  readonly #key: string;
  readonly #front: FrontAddress;
  #socket: WebSocket | null = null;
  #isStopping = false;

  private constructor(server: Miniflare, key: string, front: FrontAddress) {
    this.#server = server;
    this.#key = key;
    this.#front = front;
  }

  /**
   * Opens the line to a server that has started.
   *
   * @param key the value of its binding `STOP_KEY`
   */
  static async open(server: Miniflare, key: string, front: FrontAddress): Promise<StopLine> {
    const line = new StopLine(server, key, front);
    await line.#connect();
    return line;
  }

  /** Stops the Worker and workerd, within 8 seconds. Logs what could not be stored. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    try {
      const { lostClicks, openRequests } = await withTimeout(REPORT_MS, this.#report());
      if (lostClicks > 0) logProblem('clicks_lost', 'the service was stopped', { clicks: lostClicks });
      if (openRequests > 0) logProblem('requests_cut_off', 'the service was stopped', { requests: openRequests });
    } catch (cause) {
      logProblem('stop_failed', cause);
    }
    await withTimeout(DISPOSE_MS, this.#server.dispose()).catch(() => {});
  }

  async #connect(): Promise<void> {
    const headers = { Upgrade: 'websocket', Authorization: this.#key };
    const { status, webSocket } = await this.#server.dispatchFetch('http://stop/', { headers });
    if (webSocket === null) throw new Error(`the Worker responds with ${status}`);
    webSocket.accept();
    // It closes where workerd has ended: Miniflare starts it again.
    webSocket.addEventListener('close', () => void this.#connectAgain());
    this.#socket = webSocket;
  }

  async #connectAgain(): Promise<void> {
    this.#socket = null;
    while (!this.#isStopping) {
      await setTimeout(RETRY_MS, undefined, { ref: false });
      try {
        return await this.#connect();
      } catch {
        // workerd has not started yet.
      }
    }
  }

  #report(): Promise<StopReport> {
    const socket = this.#socket;
    if (socket === null) return Promise.reject(new Error('workerd does not run'));
    return new Promise((resolve, reject) => {
      socket.addEventListener('message', ({ data }) => resolve(JSON.parse(data as string) as StopReport));
      socket.addEventListener('close', () => reject(new Error('workerd stopped before its report')));
      socket.send('stop');
      this.#leavePort();
    });
  }

  // workerd then takes no further connections, and closes each that it has after its response; it runs on as long as the
  // line is open.
  #leavePort(): void {
    if (process.platform === 'win32') return;
    for (const pid of workerdOf(process.pid)) process.kill(pid, 'SIGTERM');
    respondWhileStopping(this.#front);
  }
}
