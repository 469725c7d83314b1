import type { PropsWithChildren } from 'hono/jsx';
import { Hidden } from './form.tsx';
import type { ButtonKind } from './button.tsx';

/** Where the options of a passkey come from: a path, or the options to create one or to use one, in JSON. */
type PasskeyOptions = { readonly from: string } | { readonly create: object } | { readonly get: object };

/**
 * A button that asks the browser for a passkey, and then sends its form with the field `passkey_response`. Without scripts
 * it sends the field empty, which its path answers with a sentence about that.
 */
export function PasskeyButton({
  options,
  kind = 'primary',
  children,
}: PropsWithChildren<{ options: PasskeyOptions; kind?: ButtonKind }>) {
  return (
    <>
      <Hidden name="passkey_response" value="" />
      <button type="submit" class={`button ${kind}`} name="by" value="passkey" data-passkey={JSON.stringify(options)}>
        {children}
      </button>
    </>
  );
}
