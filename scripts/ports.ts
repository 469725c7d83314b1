import { lookup } from 'node:dns/promises';
import { createServer } from 'node:net';
import { UsageError } from './cli-error.ts';

export const LOOPBACK = ['127.0.0.1', '::1'] as const;

/**
 * Finds the addresses at which a server can listen: the given one, else the loopback addresses of this machine. Throws
 * `UsageError` if the port is in use, or needs more permissions.
 */
export async function findHost(port: number, ip: string | null): Promise<string> {
  if (ip !== null) {
    if (!(await canListen(port, ip)))
      throw new UsageError(`This machine does not have the address ${ip}: choose one of its addresses with --ip.`);
    return ip;
  }
  const [hasIpv4, hasIpv6] = [await canListen(port, LOOPBACK[0]), await canListen(port, LOOPBACK[1])];
  if (!hasIpv4) return LOOPBACK[1];
  // workerd listens at every address that "localhost" resolves to, and exits if one does not exist.
  const names = await lookup('localhost', { all: true }).catch(() => []);
  const isUsable = names.length > 0 && (hasIpv6 || names.every(({ family }) => family === 4));
  return isUsable ? 'localhost' : LOOPBACK[0];
}

// False if the machine has no such address.
function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'EACCES' && code !== 'EADDRINUSE') return resolve(false);
      const reason = code === 'EACCES' ? 'needs more permissions' : 'is in use';
      reject(new UsageError(`Port ${port} ${reason}: free it, or choose another with "npm start -- --port N".`));
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
