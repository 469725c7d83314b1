/** The operator's logo as it is served; null if there is none. */
export function readBrandLogo(
  root: string,
  place?: string,
): Promise<{ readonly name: string; readonly bytes: Uint8Array } | null>;
