import { readActor } from '../../http/actor.ts';
import { linkToolsOf } from '../../http/link-tools.ts';
import { limitRate } from '../../http/rate-limits.ts';
import { splitArguments, TOOL_INPUTS } from '../../http/tool-inputs.ts';
import { createLink } from '../../links/create/create.ts';
import { editLink } from '../../links/edit/edit.ts';
import { parseNewLink } from '../../links/create/new-link.ts';
import { parseLinkChange } from '../../links/input.ts';
import { toManagedRecord } from '../../links/record.ts';
import { succeeded } from '../result.ts';
import { written, type Tool } from './tool.ts';

/** The tools that write. */

export const createLinkTool: Tool = async ({ c, verify }, given) => {
  const { site } = c.var;
  const newLink = parseNewLink(given, site, 'json');
  const credential = await verify();
  await limitRate(c, 'create', credential);
  const { link, isReused } = await createLink(linkToolsOf(c), credential, newLink, (link, isReused) => ({
    link,
    isReused,
  }));
  const record = toManagedRecord(link, site);
  if (newLink.input.reuse !== true) return succeeded('The link is created.', record, written());
  const sentence = isReused ? 'An equal link exists already.' : 'The link is created.';
  return succeeded(sentence, { ...record, reused: isReused }, written());
};

export const updateLinkTool: Tool = async ({ c, verify }, given) => {
  const { own, rest } = splitArguments(TOOL_INPUTS.update_link, given);
  const change = parseLinkChange(rest, c.var.site);
  const actor = await readActor(c, verify)(own);
  const link = await editLink(linkToolsOf(c), actor, own.link, change);
  return succeeded('The link is changed.', toManagedRecord(link, c.var.site), written());
};
