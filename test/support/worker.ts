import { env } from 'cloudflare:workers';
import { parseConfig } from '../../src/config/config.ts';
import { ClientStatistics as StatisticsObject } from '../../src/statistics/object.ts';

/** The Worker of the tests in workerd: the one that is deployed, with objects whose insides a test can reach. */

export { default } from '../../src/index.ts';
export { LinkLimit } from '../../src/link-limit/object.ts';

const { statisticsDetailDays } = parseConfig({ ...env });

export class ClientStatistics extends StatisticsObject {
  constructor(ctx: DurableObjectState, bindings: Env) {
    super(ctx, bindings, statisticsDetailDays);
  }
}
