// Loads the modules that the Worker loads later, before any request: the test runner's imports are work of the request that
// begins them, which another request at the same moment cannot wait for. workerd's own are not, as
// test/system/first-requests.test.ts shows.
import '../../src/app/api.ts';
import '../../src/app/click-sender.ts';
import '../../src/app/crons.ts';
import '../../src/app/mcp.ts';
import '../../src/app/operator.ts';
import '../../src/app/platform.ts';
import '../../src/app/queues.ts';
import '../../src/clicks/send-kept.ts';
import '../../src/links/events/limit-reached.ts';
import '../../src/redirect/follow.ts';
import '../../src/redirect/host-paths.ts';
import '../../src/redirect/inspect.ts';
import '../../src/redirect/locked.ts';
