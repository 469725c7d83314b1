export function followOldAddress(place: Pick<Location, 'pathname' | 'hash' | 'replace'>): void;
export function newAddressOf(hash: string): string | null;
