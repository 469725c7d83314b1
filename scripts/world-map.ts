import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { geoNaturalEarth1, geoPath } from 'd3-geo';
import type { FeatureCollection } from 'geojson';
import countries from 'i18n-iso-countries';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/**
 * Writes public/assets/world.svg: the shapes of all countries by their codes, and `world` for all of them, from Natural
 * Earth (public domain) as `world-atlas` has it, without Antarctica. `node scripts/world-map.ts` writes the file anew.
 */

const ROOT = join(import.meta.dirname, '..');
const WIDTH = 960;
/** Borders are drawn on a grid of so many tenths of a pixel, so that those of neighbours stay the same. */
const GRID = 6;
/** An island of fewer square pixels is left out. */
const TINY = 1;
/** A country that is smaller than this is drawn as a dot. */
const SMALL = 3;

type Point = [x: number, y: number];

/** The countries without a number of ISO 3166-1. What is drawn apart from a country belongs to it here. */
const CODE_BY_NAME: Readonly<Record<string, string>> = { Kosovo: 'XK', Somaliland: 'SO', 'N. Cyprus': 'CY' };

const topology = JSON.parse(
  readFileSync(join(ROOT, 'node_modules/world-atlas/countries-50m.json'), 'utf8'),
) as Topology<{ countries: GeometryCollection<{ name: string }> }>;
const all = feature(topology, topology.objects.countries);
const shapes = { ...all, features: all.features.filter(({ properties }) => properties.name !== 'Antarctica') };
const projection = geoNaturalEarth1().fitWidth(WIDTH, shapes);
const height = Math.ceil(geoPath(projection).bounds(shapes)[1][1]);
const paths = [...Map.groupBy(shapes.features, ({ id, properties }) => codeOf(id, properties.name))].flatMap(
  ([code, features]) => (code === null ? [] : [[code, pathOf(features)] as const]),
);
const drawn = paths.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([code, d]) => `<path id="${code}" d="${d}"/>`);
writeFileSync(
  join(ROOT, 'public/assets/world.svg'),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}"><g id="world">\n${drawn.join('\n')}\n</g></svg>\n`,
);

function codeOf(id: string | number | undefined, name: string): string | null {
  const code = id === undefined ? undefined : countries.numericToAlpha2(String(id).padStart(3, '0'));
  return code ?? CODE_BY_NAME[name] ?? null;
}

function pathOf(features: FeatureCollection['features']): string {
  const rings = features.flatMap(ringsOf).toSorted((a, b) => areaOf(b) - areaOf(a));
  const [largest = []] = rings;
  if (sizeOf(largest) < SMALL) return dotAt(largest);
  return rings
    .filter((ring) => ring === largest || areaOf(ring) > TINY)
    .map(lineOf)
    .join('');
}

function ringsOf(one: FeatureCollection['features'][number]): Point[][] {
  const rings: Point[][] = [];
  geoPath(projection, {
    beginPath: () => undefined,
    moveTo: (x, y) => void rings.push([[x, y]]),
    lineTo: (x, y) => void rings.at(-1)?.push([x, y]),
    arc: () => undefined,
    closePath: () => undefined,
  })(one);
  return rings;
}

function areaOf(ring: readonly Point[]): number {
  const sum = ring.reduce((area, [x, y], index) => {
    const [nextX, nextY] = ring[(index + 1) % ring.length]!;
    return area + x * nextY - nextX * y;
  }, 0);
  return Math.abs(sum) / 2;
}

function sizeOf(ring: readonly Point[]): number {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  return Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
}

function tenths(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

function dotAt(ring: readonly Point[]): string {
  const mean = (index: 0 | 1) => tenths(ring.reduce((sum, point) => sum + point[index], 0) / Math.max(1, ring.length));
  return `M${tenths(mean(0) - SMALL / 2)} ${mean(1)}l1.5-1.5 1.5 1.5-1.5 1.5z`;
}

/** A ring by the distances of its points in tenths, which need fewer digits. Points in a straight line are left out. */
function lineOf(ring: readonly Point[]): string {
  const snapped = ring.map((point) => point.map((pixels) => Math.round((pixels * 10) / GRID) * GRID) as Point);
  const corners = snapped.filter(([x, y], index) => {
    const [beforeX, beforeY] = snapped.at(index - 1)!;
    const [afterX, afterY] = snapped[(index + 1) % snapped.length]!;
    return (x - beforeX) * (afterY - y) !== (y - beforeY) * (afterX - x);
  });
  let [x, y] = [0, 0];
  const steps = corners.map(([nextX, nextY], index) => {
    const step = [nextX - x, nextY - y].map((tenths) => tenths / 10).join(' ');
    [x, y] = [nextX, nextY];
    return `${index === 0 ? 'M' : index === 1 ? 'l' : ' '}${step}`;
  });
  return steps.length < 3
    ? ''
    : `${steps
        .join('')
        .replaceAll(' -', '-')
        .replaceAll(/(?<=[ l-])0\./g, '.')}z`;
}
