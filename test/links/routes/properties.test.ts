import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRoutes, type RoutedLink } from '../../../src/links/routes/choose.ts';
import { explainChoice } from '../../../src/links/routes/explain.ts';
import { forwardPath, forwardQuery } from '../../../src/links/routes/forward.ts';
import { linkRules } from '../../../src/links/routes/rules.ts';
import { type Rule } from '../../../src/links/routes/stored-routes.ts';
import { VisitorFacts, type VisitorSource } from '../../../src/links/routes/visitor.ts';
import { arbitraryRules, arbitraryVisitor, hostileVisitor } from '../../support/arbitrary-rules.ts';
import { naivelyHolds, naiveRule } from '../../support/naive-rules.ts';

/** Properties of any rules, any visitor, any query and any path. */

const RUNS = { numRuns: 300, seed: 23 };
const VARIANTS = [1, 2].map((weight) => ({ name: `v${weight}`, url: `https://example.com/${weight}`, weight }));

const linkOf = (rules: readonly Rule[]): RoutedLink => ({
  linkId: 'b4cd3fgh',
  url: 'https://example.com/',
  rules,
  variants: VARIANTS,
});

const parsed = arbitraryRules.map((rules) => linkRules().parse(rules));
const visitors = fc.array(arbitraryVisitor, { minLength: 1, maxLength: 5 });
const choicesOf = (rules: readonly Rule[], sources: readonly VisitorSource[]) => {
  const { choose } = compileRoutes(linkOf(rules));
  return sources.map((source) => choose(new VisitorFacts(source)));
};

describe('rules and visitors of any kind', () => {
  it('a rule decides as in an interpreter that is as simple as possible, for any rules and visitors', () => {
    const names = new Set<string | null>();
    fc.assert(
      fc.property(parsed, visitors, (rules, sources) => {
        const naive = sources.map((source) => naiveRule(rules, source));
        for (const name of naive) names.add(name);
        expect(choicesOf(rules, sources).map(({ by, name }) => (by === 'rule' ? name : null))).toEqual(naive);
      }),
      RUNS,
    );
    // The draws are varied: rules at many places in their lists have decided.
    expect(names.size).toBeGreaterThan(8);
  });

  it('the explanation says of conditions and destination what the simple interpreter says, for any rules and visitors', () => {
    fc.assert(
      fc.property(parsed, arbitraryVisitor, (rules, source) => {
        const { rules: explained, chosen } = explainChoice(linkOf(rules), new VisitorFacts(source));
        expect(
          explained.map(({ name, conditions }) => [name, conditions.map(({ type, holds }) => [type, holds])]),
        ).toEqual(rules.map((rule) => [rule.name, rule.if.map((each) => [each.type, naivelyHolds(each, source)])]));
        expect(explained.map(({ holds }) => holds)).toEqual(
          rules.map((rule) => rule.if.every((each) => naivelyHolds(each, source))),
        );
        expect(chosen).toEqual(choicesOf(rules, [source])[0]);
      }),
      RUNS,
    );
  });

  it('rules that were stored as JSON, and parsed again, lead to the same destinations', () => {
    fc.assert(
      fc.property(parsed, visitors, (rules, sources) => {
        const stored: Rule[] = JSON.parse(JSON.stringify(rules));
        expect(choicesOf(stored, sources)).toEqual(choicesOf(rules, sources));
        expect(linkRules().parse(stored)).toEqual(stored);
      }),
      RUNS,
    );
  });

  it('a condition and its negation never hold together, for any texts in a request', () => {
    fc.assert(
      fc.property(parsed, hostileVisitor, (rules, source) => {
        const negated = rules.map((rule) => ({
          ...rule,
          if: rule.if.map(({ not, ...rest }) => ({ ...rest, ...(!not && { not: true as const }) })),
        }));
        const heldIn = (list: readonly Rule[]) =>
          explainChoice(linkOf(list), new VisitorFacts(source)).rules.flatMap(({ conditions }) =>
            conditions.map(({ holds }) => holds),
          );
        expect(heldIn(negated)).toEqual(heldIn(rules).map((holds) => !holds));
      }),
      RUNS,
    );
  });
});

describe('queries and paths of any kind', () => {
  const characters = fc.constantFrom(
    ...Array.from('ab/\\?#&=%:@;.+"<>[]^`{|}\' \t\r\n\0äß💥'),
    '\ud800',
    '%2e',
    '%2F',
    '%5c',
    '..',
  );
  const text = fc.string({
    unit: fc.oneof({ weight: 4, arbitrary: characters }, fc.string({ unit: 'binary', maxLength: 1 })),
  });
  const destination = fc
    .tuple(
      fc.constantFrom(
        'http://example.com',
        'https://example.com:8443',
        'https://xn--mnchen-3ya.example',
        'http://[2001:db8::1]:80',
      ),
      text,
      fc.constantFrom('', '?', '#', '?a&b=1#c'),
    )
    .map(([origin, path, end]) => new URL(`${origin}/${path}${end}`).href);
  const mode = fc.constantFrom('keep' as const, 'override' as const);
  const longOf = (unit: string) => fc.nat(9000).map((length) => unit.repeat(length));
  const given = fc.oneof({ weight: 9, arbitrary: text }, longOf('x'), longOf('ä'), longOf('&a'), longOf('/.a'));

  const dots = fc.string({
    unit: fc.constantFrom('.', '%2e', '%252E', '/', '%2f', '\\', '%5C', 'a', ';'),
    maxLength: 9,
  });

  const expectKept = (result: string, destination: string) => {
    const [from, to] = [new URL(destination), new URL(result)];
    expect([to.protocol, to.host, to.username, to.password, to.hash]).toEqual([
      from.protocol,
      from.host,
      '',
      '',
      from.hash,
    ]);
    expect(to.href).toBe(result);
    expect(result.length).toBeLessThanOrEqual(Math.max(8192, destination.length));
    // A character that no header may have would make the response fail.
    expect(new Headers({ Location: result }).get('Location')).toBe(result);
    return { from, to };
  };

  it('parameters change nothing but the query, and are those of the owner and the visitor', () => {
    fc.assert(
      fc.property(destination, given, mode, (destination, search, mode) => {
        const result = forwardQuery(destination, search, mode);
        const { from, to } = expectKept(result, destination);
        expect(to.pathname).toBe(from.pathname);
        if (result === destination) return;
        const visits = new URLSearchParams(`&${search.replace(/^\?/, '')}`);
        const [winners, losers] = mode === 'keep' ? [from.searchParams, visits] : [visits, from.searchParams];
        const merged = [...[...losers].filter(([name]) => !winners.has(name)), ...winners];
        const sorted = (pairs: Iterable<readonly string[]>) =>
          [...pairs].map((pair) => JSON.stringify(pair)).toSorted();
        expect(sorted(to.searchParams)).toEqual(sorted(merged));
      }),
      { ...RUNS, numRuns: 3000 },
    );
  });

  it('a path stays below that of the destination, and changes nothing else', () => {
    let refused = 0;
    fc.assert(
      fc.property(destination, fc.oneof(given, dots), (destination, rest) => {
        const result = forwardPath(destination, rest);
        if (result === null) {
          refused += 1;
          return;
        }
        const { from, to } = expectKept(result, destination);
        expect(to.search).toBe(from.search);
        expect(to.pathname.startsWith(from.pathname)).toBe(true);
        expect(to.pathname.slice(from.pathname.replace(/\/$/, '').length)).toMatch(/^(?:\/|$)/);
        const decoded = decodeURIComponent(
          to.pathname.slice(from.pathname.length).replaceAll(/%(?![2-7][0-9a-f])/gi, '%25'),
        );
        expect(decoded.split(/[/\\]/).filter((segment) => segment === '.' || segment === '..')).toEqual([]);
      }),
      { ...RUNS, numRuns: 3000 },
    );
    expect(refused).toBeGreaterThan(100);
  });
});
