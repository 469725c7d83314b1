let lastAddress = 0;

/** An IPv4 address that no other request in this file has. */
export function newAddress(): string {
  lastAddress += 1;
  return `198.18.${Math.floor(lastAddress / 256)}.${lastAddress % 256}`;
}
