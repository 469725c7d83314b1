import { getStats, type Stats } from '../../clicks/stats.ts';
import { TIMES } from '../../clicks/query.ts';
import { AppError } from '../../errors.ts';
import { parseStatsQuestion } from '../../http/stats-question.ts';
import { splitArguments, TOOL_INPUTS } from '../../http/tool-inputs.ts';
import { fieldError } from '../../input/validation.ts';
import { succeeded } from '../result.ts';
import type { Tool } from './tool.ts';

/** The tools that read click statistics. */

export const linkStatsTool: Tool = async ({ c, verify }, given) => {
  const { own, rest } = splitArguments(TOOL_INPUTS.link_stats, given);
  const subject = own.link === undefined ? ({ kind: 'client' } as const) : ({ kind: 'link', name: own.link } as const);
  const question = parseStatsQuestion(subject, { ...rest, limit: String(own.limit) });
  const stats = await getStats(c.var, await verify(), ...question);
  return succeeded(sentenceOf(stats), stats, TIMES.has(stats.by) ? [] : ['rows[].key', 'compare.rows[].key']);
};

export const compareLinksTool: Tool = async ({ c, verify }, given) => {
  const { own, rest } = splitArguments(TOOL_INPUTS.compare_links, given);
  const links = [...new Set(own.links)];
  const question = parseStatsQuestion({ kind: 'client' }, { ...rest, by: 'link', link: links });
  const stats = await getStats(c.var, await verify(), ...question, links).catch((cause: unknown) => {
    throw cause instanceof AppError && cause.code === 'invalid_link' ? ofLinks(cause) : cause;
  });
  return succeeded(sentenceOf(stats), stats);
};

// The sentence of the API names its own field.
function ofLinks({ code, message }: AppError): AppError {
  const sentence = message.replace(/^link must be the id of a link/, 'links must be ids of links');
  return fieldError(code, 'links', sentence);
}

const sentenceOf = ({ total, humans, from, to }: Stats) =>
  `${total} ${total === 1 ? 'click' : 'clicks'} from ${from} to ${to}, ${humans} of them by people.`;
