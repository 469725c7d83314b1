import { createContext, useContext } from 'hono/jsx';

/** Around the fields of a form whose first one has the focus when its page or dialog opens; null if none has. */
export const FirstField = createContext<{ isTaken: boolean } | null>(null);

/** True if the field that asks is the first one, and so has the focus. */
export function isFirstField(): boolean {
  const first = useContext(FirstField);
  if (first === null || first.isTaken) return false;
  first.isTaken = true;
  return true;
}
