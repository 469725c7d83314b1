/** By the name of a file in `public/assets/`: ten hexadecimal digits of the SHA-256 of its content. */
export const HASHES: Readonly<Record<string, string>>;
