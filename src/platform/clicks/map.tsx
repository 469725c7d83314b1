import { assetPath } from '../../http/assets.ts';
import { nameOf } from './cards.ts';
import type { Statistics } from './read-statistics.ts';
import { useWords, type PageWords } from '../words.tsx';
import { addressOf, withFilter } from './view.ts';

const WORLD = assetPath('world.svg');
const SHADES = 5;

/**
 * The countries of clicks by people on a map of the world. Each is a link that adds a filter, except on a phone, where most
 * are too small to be touched; the table beside it says the same, and has those that are too small to be seen here.
 */
export function WorldMap({ scope, view, report }: Statistics) {
  const words = useWords();
  const countries = (report.by.country ?? []).flatMap(({ key, humans }) =>
    key !== null && humans > 0 && /^[A-Z]{2}$/.test(key) && key !== 'XX' ? [{ key, humans }] : [],
  );
  const most = Math.max(1, ...countries.map(({ humans }) => humans));
  const shade = (humans: number) => Math.ceil(SHADES * Math.sqrt(humans / most));
  return (
    <figure class="map">
      <svg viewBox="0 0 960 427" role="group" aria-label={words.text('clicks.map')}>
        <use class="land" href={`${WORLD}#world`} aria-hidden="true" />
        {countries.map(({ key, humans }) => (
          <use class={SHADE[shade(humans) - 1]} href={`${WORLD}#${key}`} aria-hidden="true" />
        ))}
        {countries.map(({ key, humans }) => (
          <a href={addressOf(scope.path, withFilter(view, 'country', key))} aria-label={textOf(words, key, humans)}>
            <title>{textOf(words, key, humans)}</title>
            <use class="place" href={`${WORLD}#${key}`} />
          </a>
        ))}
      </svg>
      <figcaption class="quiet">{words.text('clicks.mapHint')}</figcaption>
    </figure>
  );
}

// Written out, since a test compares the classes of the pages with those of the style sheet.
const SHADE = ['shade-1', 'shade-2', 'shade-3', 'shade-4', 'shade-5'] as const;

const textOf = (words: PageWords, country: string, humans: number): string =>
  words.text('clicks.inCountry', { country: nameOf(words, 'country', country), count: humans });
