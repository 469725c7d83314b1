import type { Extras } from '../redirect/extras.ts';
import type { Target } from '../link.ts';
import { compileRoutes, type Destination, type Routes } from './choose.ts';
import type { VisitorFacts } from './visitor.ts';

/** The decisions of the links that an isolate remembers, compiled by their first visit. */
const compiled = new WeakMap<Extras, Routes>();

/** Where a visitor of a link is redirected. */
export function choiceFor(target: Target & { readonly extras: Extras }, visitor: VisitorFacts): Destination {
  const { extras, linkId, url } = target;
  let routes = compiled.get(extras);
  if (routes === undefined) {
    routes = compileRoutes({ linkId, url, rules: extras.rules ?? [], variants: extras.variants ?? [] });
    compiled.set(extras, routes);
  }
  return routes.choose(visitor);
}
