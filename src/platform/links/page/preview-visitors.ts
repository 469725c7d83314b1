import type { Option } from '../../kit/form.tsx';
import type { PageWords, PlainKey } from '../../words.tsx';

/** The visitors to choose from on "Try it": a name, and the `User-Agent` that it sends. */
const AGENTS = {
  iphone: [
    'linkPage.agentIphone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  ],
  android: [
    'linkPage.agentAndroid',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  ],
  ipad: [
    'linkPage.agentIpad',
    'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  ],
  windows: [
    'linkPage.agentWindows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
  ],
  mac: [
    'linkPage.agentMac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  ],
  linux: ['linkPage.agentLinux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  bot: ['linkPage.agentBot', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
  preview: ['linkPage.agentPreview', 'WhatsApp/2.23.20.0'],
} as const satisfies Readonly<Record<string, readonly [name: PlainKey, userAgent: string]>>;

/** The visitors as options of a field. */
export const agentOptions = ({ text }: PageWords): readonly Option[] =>
  Object.entries(AGENTS).map(([value, [name]]) => ({ value, label: text(name) }));

/** The `User-Agent` of a choice; that of the first one if there is no such choice. */
export function userAgentOf(choice: string | undefined): string {
  const [, userAgent] = AGENTS[choice !== undefined && isAgent(choice) ? choice : 'iphone'];
  return userAgent;
}

const isAgent = (choice: string): choice is keyof typeof AGENTS => Object.hasOwn(AGENTS, choice);
