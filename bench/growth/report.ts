import { table } from '../table.ts';
import { GROWTH_PRICES, SIZES, type Assumptions } from './assumptions.ts';
import type { Bytes } from './bytes.ts';
import type { Figures } from './model.ts';
import { describeAssumptions } from './options.ts';
import { PARTS, saturatedFrom, saturatedOf, useOf, type Part } from './parts.ts';

/** The simulation as text. */

export function describeGrowth(
  bytes: Bytes,
  assumptions: Assumptions,
  figuresFor: (clients: number) => Figures,
): string {
  const sizes = SIZES.map(figuresFor);
  return [
    `Assumptions, each with its flag:\n${describeAssumptions(assumptions)}`,
    describeBytes(bytes),
    table([
      ['a second is the busiest one', ...SIZES.map((clients) => `${round(clients)} clients`)],
      ...ROWS.map(([name, valueOf]) => [name, ...sizes.map(valueOf)]),
    ]),
    table([
      ['part', 'limit', ...SIZES.map((clients) => `use at ${round(clients)}`), 'beyond it from', 'then'],
      ...PARTS.map((part) => [
        part.name,
        limitOf(part),
        ...sizes.map((figures) => percent(useOf(part, figures))),
        clientsOf(saturatedFrom(part, figuresFor)),
        part.beyond,
      ]),
    ]),
  ].join('\n\n');
}

const ROWS: readonly (readonly [name: string, valueOf: (figures: Figures) => string])[] = [
  ['links', ({ links }) => round(links)],
  ['custom hostnames', ({ customHostnames }) => round(customHostnames)],
  ['clicks a day', ({ clicksPerDay }) => round(clicksPerDay)],
  ['clicks/s', ({ clicks }) => round(clicks)],
  ['isolates', ({ isolates }) => round(isolates)],
  ['queue messages/s', ({ messages }) => round(messages)],
  ['consumers started/s', ({ consumers }) => round(consumers)],
  ['consumers at once', ({ consumersAtOnce }) => round(consumersAtOnce)],
  ['calls of objects/s', ({ appends }) => round(appends)],
  ['objects awake', ({ objectsAwake }) => round(objectsAwake)],
  ['busiest client, of all clicks', ({ busiest }) => percent(busiest.share)],
  ['its clicks/s', ({ busiest }) => round(busiest.clicks)],
  ['writes/s of its object', ({ busiest }) => round(busiest.writes)],
  ['GB of its object', ({ objectBytes }) => gigabytes(objectBytes)],
  ['GB of its links', ({ clientBytes }) => gigabytes(clientBytes)],
  ['GB of D1', ({ databaseBytes }) => gigabytes(databaseBytes)],
  ['D1 queries/s', ({ queries }) => round(queries.all)],
  ['  of creates', ({ queries }) => round(queries.creates)],
  ['  of cold redirects', ({ queries }) => round(queries.cold)],
  ['  of checks of KV', ({ queries }) => round(queries.checks)],
  ['  of consumers', ({ queries }) => round(queries.consumers)],
  ['  of pages and lists', ({ queries }) => round(queries.reads)],
  ['  about restores', ({ queries }) => round(queries.watch)],
  ['authorized requests/s', ({ authorised }) => round(authorised)],
  ['KV reads/s', ({ kvReads }) => round(kvReads)],
  ['KV writes/s', ({ kvWrites }) => round(kvWrites)],
  ['GB of KV', ({ kvBytes }) => gigabytes(kvBytes)],
  ['databases, each half full', ({ databases }) => round(databases)],
  ['US$ a month, at list prices', ({ dollarsPerMonth }) => round(dollarsPerMonth)],
  ['  of custom hostnames', ({ customHostnames }) => round(GROWTH_PRICES.customHostname * customHostnames)],
  ['saturated first', (figures) => saturatedOf(figures).find(({ isOnlySlower }) => !isOnlySlower)?.name ?? '-'],
];

function describeBytes({ link, edit, client, kvEntry, parts }: Bytes): string {
  const inParts = Object.entries(parts).map(([name, bytes]) => `${name} ${bytes.toFixed(0)}`);
  return [
    `Bytes in D1, measured: ${link.toFixed(0)} a link (${inParts.join(', ')}),`,
    `${edit.toFixed(0)} its first edit, ${client.toFixed(0)} a client. An entry of KV: ${kvEntry}.`,
  ].join('\n');
}

function limitOf({ limit, unit }: Part): string {
  return unit === 'bytes' ? `${gigabytes(limit)} GB` : `${round(limit)} ${unit}`;
}

function clientsOf(clients: number | null): string {
  return clients === null ? '> 10^9' : round(clients);
}

const gigabytes = (bytes: number) => round(bytes / 1e9);
const percent = (share: number) => `${round(share * 100)} %`;

const NUMBER = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });
const round = (number: number) => NUMBER.format(number);
