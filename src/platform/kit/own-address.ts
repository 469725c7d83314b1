import { createContext } from 'hono/jsx';

/** The path of the page that is shown, with its query, to which a form without another action is sent. */
export const OwnAddress = createContext<string | undefined>(undefined);
