import { AppError } from '../errors.ts';
import { openObjectCalls, withObjectOutages, type ObjectCalls } from '../objects/object-calls.ts';
import type { ClientStatistics } from './object.ts';
import type { QuestionWithVisitors } from './questions/asked.ts';
import type { ClicksAndVisitors, DayClicks } from './questions/questions.ts';
import { TOO_MANY_QUESTIONS, type Caller } from './questions/turns.ts';

/** The methods of the object of a client for the Worker. Every call can be repeated: a pack counts once. */
export type StatisticsObject = Pick<
  ClientStatistics,
  | 'append'
  | 'ask'
  | 'askByLink'
  | 'erase'
  | 'excludeClickWebhooks'
  | 'expectClickWebhook'
  | 'hasRoom'
  | 'lately'
  | 'offer'
  | 'purge'
  | 'rank'
  | 'recent'
  | 'renameCampaign'
  | 'totals'
  | 'touch'
  | 'visitorDays'
  | 'visitors'
  | 'watch'
>;

/** Opens what says that the caller of an object has left. Each call needs one of its own. */
export const openCaller = (): Caller => new ReadableStream({ type: 'bytes' });

/**
 * Asks an object for clicks. One of a version before gives less: none gives a summary before it knows the question for it,
 * and those up to version 1.2 give the days alone.
 */
export async function askClicks(
  object: Pick<StatisticsObject, 'ask'>,
  question: QuestionWithVisitors,
): Promise<ClicksAndVisitors> {
  const result: ClicksAndVisitors | DayClicks[] = await object.ask(question, openCaller());
  return Array.isArray(result) ? { days: result, visitors: null } : result;
}

/** The click statistics of all clients, as the domain rooms see them: each object has the id of a client as its name. */
export type Statistics = ObjectCalls<StatisticsObject>;

/** Opens the objects of all clients, as `openObjectCalls` does. */
export function openStatistics(namespace: Pick<Env['STATISTICS'], 'getByName'>, timeoutMs: number): Statistics {
  // The type of a stub has the last signature of `ask` only.
  return openObjectCalls((clientId) => namespace.getByName(clientId) as unknown as StatisticsObject, timeoutMs);
}

/** The error sentence for callers while the statistics do not respond. */
const STATISTICS_OUTAGE = 'The click statistics are temporarily unavailable. Try again in a few seconds.';

/** True if a caller's error is that outage. */
export const isStatisticsOutage = (error: unknown): boolean =>
  error instanceof AppError && error.message === STATISTICS_OUTAGE;

/** Statistics whose failures become `store_unavailable`, and `too_many_requests` for too many questions. */
export function withStatisticsOutages(statistics: Statistics): Statistics {
  return withObjectOutages(statistics, STATISTICS_OUTAGE, TOO_MANY_QUESTIONS);
}
