export function followOldAddress(place: Pick<Location, 'pathname' | 'hash'>, replace: (address: string) => void): void;
export function newAddressOf(hash: string): string | null;
