import type { Child } from 'hono/jsx';
import { Icon } from '../../design/icon.tsx';
import { Commands } from './commands.tsx';
import { Demo } from './demo.tsx';
import { Picture } from './picture.tsx';
import { Reasons } from './reasons.tsx';

/**
 * The front page: what the service is for the person who shortens, then for developers and operators.
 *
 * @param origin that of the request
 * @param host that of short links
 */
export function FrontPage({ origin, host, name }: { origin: string; host: string; name: string }) {
  return (
    <>
      <div class="band hero">
        <div class="front-wide">
          <h1>
            Short links
            <br />
            people trust.
          </h1>
          <p>
            Turn a long address into a short link on your own name, change where it leads at any time, and see how many
            people came.
          </p>
          <Demo host={host} />
        </div>
      </div>
      <div class="front-wide">
        <Picture
          of="links"
          alt="The list of links: each with its title, its short link, where it leads, its clicks of 30 days"
          first
        />
        <Part id="why" title="Say less. Know more. Change your mind.">
          <Reasons />
          <Picture of="overview" alt="The overview: daily visitors in a chart, and where they came from" />
        </Part>
        <Part title="What others do not have">
          <Comparison name={name} />
        </Part>
      </div>
      <Promise />
      <div class="front-wide">
        <Part id="developers" title="For people who program" lead={DEVELOPERS}>
          <Commands origin={origin} />
        </Part>
        <Part title="Bring what you have" lead={IMPORT}>
          <p class="front-actions">
            <a class="button primary tall" href="/platform">
              Sign in
            </a>
            <a class="button quiet tall" href="/docs">
              Read the docs
            </a>
          </p>
        </Part>
      </div>
    </>
  );
}

const DEVELOPERS =
  'Everything on the pages is in the API. Three commands lead from nothing to a number; an API key is created on the pages.';
const IMPORT =
  'Links from Bitly, Dub, Rebrandly, Short.io, Shlink, Kutt, YOURLS and TinyURL are imported from their files, and so is any spreadsheet. You see every row before anything happens.';

function Part({ id, title, lead, children }: { id?: string; title: string; lead?: string; children: Child }) {
  return (
    <section class="front-part" id={id}>
      <h2>{title}</h2>
      {lead !== undefined && <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}

/** Each line is checked: docs/design/front-page.md has the sources. */
const LINES = [
  ['delete the wrong link', 'Undo, for 30 days', 'Dub, Kutt, Shlink, Sink and YOURLS delete it for good'],
  [
    'read your numbers',
    'People, link previews and bots, each by itself',
    'Dub and Kutt leave bots out, YOURLS counts all as one',
  ],
  ['compare with last year', 'Every day stays, for every workspace', 'Dub shows 30 days on its free plan'],
  ['share a link for nothing', 'Straight to the page', 'Bitly can show a page with advertising first'],
] as const;

function Comparison({ name }: { name: string }) {
  return (
    <table class="versus">
      <thead>
        <tr>
          <th scope="col">When you …</th>
          <th scope="col">
            <bdi>{name}</bdi>
          </th>
          <th scope="col">Elsewhere</th>
        </tr>
      </thead>
      <tbody>
        {LINES.map(([when, own, elsewhere]) => (
          <tr>
            <th scope="row">{when}</th>
            <td>{own}</td>
            <td>{elsewhere}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Promise() {
  return (
    <section class="vow">
      <div class="front-wide">
        <h2>Your links never show an advertisement. And they do not stop by themselves.</h2>
        <p>
          A link leads straight to its destination until you change it, limit it or delete it, or the operator of this
          service blocks it. Links in use still redirect while the database is down. The code is open, and you can run
          it yourself.
        </p>
      </div>
    </section>
  );
}

/** The links at the top of the front page. */
export function FrontNavigation() {
  return (
    <ul>
      <li class="further">
        <a href="#why">Why</a>
      </li>
      <li class="further">
        <a href="#developers">For developers</a>
      </li>
      <li>
        <a href="/docs">Docs</a>
      </li>
      <li>
        <a class="enter" href="/platform">
          Sign in
        </a>
      </li>
    </ul>
  );
}

/** The links at its foot. */
export function FrontFooter({ name }: { name: string }) {
  return (
    <footer class="front-wide foot">
      <span>
        <bdi>{name}</bdi> is open source.
      </span>
      <a href="/docs">Docs</a>
      <a href="/changelog">Changelog</a>
      <a href="/openapi.json">
        <Icon name="terminal" />
        openapi.json
      </a>
    </footer>
  );
}
