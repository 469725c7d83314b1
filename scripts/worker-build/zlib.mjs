// What fast-png takes from fflate, by the zlib of the platform.
import { Buffer } from 'node:buffer';
import { deflateSync, inflateSync } from 'node:zlib';

export const zlibSync = (data, options) => new Uint8Array(deflateSync(data, options));

export const unzlibSync = (data) => new Uint8Array(inflateSync(data));

export class Unzlib {
  #parts = [];
  #take;

  constructor(take) {
    this.#take = take;
  }

  push(part, isLast) {
    this.#parts.push(part);
    if (isLast) this.#take(unzlibSync(Buffer.concat(this.#parts)), true);
  }
}
