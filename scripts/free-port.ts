import { createServer, type AddressInfo, type Server } from 'node:net';

/** Ports of this machine for services that a tool or a test starts. */

// Below the ports that systems give to programs that ask for any, so that no program gets it before it is used.
// Above 10080, which browsers refuse: https://fetch.spec.whatwg.org/#port-blocking
const [LOWEST_PORT, PORTS] = [10_081, 20_000];

/**
 * A loopback port that nothing listens on.
 *
 * @param reserve whether the caller may have a port; else another one is drawn
 */
export async function freePort(reserve: (port: number) => boolean = () => true): Promise<number> {
  for (;;) {
    const port = LOWEST_PORT + Math.floor(Math.random() * PORTS);
    if (!reserve(port)) continue;
    const occupied = await occupyPort(port).catch(() => null);
    if (occupied === null) continue;
    await new Promise((resolve) => occupied.server.close(resolve));
    return port;
  }
}

/** Something else that listens on a loopback port. @param wanted 0 for any */
export function occupyPort(wanted = 0): Promise<{ server: Server; port: number }> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', () => resolve({ server, port: (server.address() as AddressInfo).port }));
  });
}
