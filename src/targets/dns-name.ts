const IS_ADDRESS = /^\[|^\d+(\.\d+){3}$/;

/** True if a host is a name that DNS can answer for: not an address, and not a name of a local network. */
export function isName(host: string): boolean {
  return host.includes('.') && !IS_ADDRESS.test(host);
}
