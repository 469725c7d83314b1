import { createContext } from 'hono/jsx';

/** The id of the user who sees the page, or null. */
export const ViewerId = createContext<string | null>(null);
