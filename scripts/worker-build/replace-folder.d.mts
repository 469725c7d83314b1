export function replaceFolder(folder: string, files: ReadonlyMap<string, string>): void;
