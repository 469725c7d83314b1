/** Figures as JSON, with names like those in the service's JSON: `cpuMs` becomes `cpu_ms`. */
export function toJson(figures: object): string {
  return `${JSON.stringify(renamed(figures), null, 2)}\n`;
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [snakeCase(name), renamed(member)]));
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
