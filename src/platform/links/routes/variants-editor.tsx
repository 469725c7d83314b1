import { ItemFault } from '../../kit/fault-and-hint.tsx';
import { Field } from '../../kit/form.tsx';
import { formatShare } from '../routes-in-words.ts';
import { sharesOf } from './actions.ts';
import { MOST, type VariantDraft } from './draft.ts';
import { EditButton, hasFault, RouteInputs, UpdateButton, type EditorProps } from './editor-parts.tsx';

/** The variants of a link, to be added, changed and removed. Its buttons save nothing. */
export function VariantsEditor({ variants, ...editor }: EditorProps & { variants: readonly VariantDraft[] }) {
  const { form, action } = editor;
  const shares = sharesOf(variants);
  const shareIds = variants.map((_, index) => `variants.${index}.share`).join(' ');
  return (
    <div class="routes" id="variants" data-part>
      <input type="hidden" name="variants" value={String(variants.length)} />
      <p class="hint">
        If no rule holds, visitors are divided among the variants by weight. The same visitor always gets the same
        variant, without a cookie.
      </p>
      <ItemFault name="variants" label="Variants" fault={form.faults['variants']} />
      {variants.map((_, index) => (
        <VariantInputs {...{ index, shareIds, ...editor }} share={shares[index] ?? null} />
      ))}
      <div class="actions">
        {variants.length < MOST.variants && (
          <EditButton action={action} does="variants.add" focus={`field-variants.${variants.length}.name`}>
            {variants.length === 0 ? 'Add two variants' : 'Add a variant'}
          </EditButton>
        )}
        {variants.length > 0 && <UpdateButton action={action} focus="variants" label="Update the shares" />}
      </div>
    </div>
  );
}

function VariantInputs({
  index,
  share,
  shareIds,
  form,
  action,
}: EditorProps & { index: number; share: number | null; shareIds: string }) {
  const place = `variants.${index}`;
  const letter = String.fromCodePoint(0x41 + index);
  return (
    <fieldset class="route" id={place}>
      <legend>Variant {letter}</legend>
      {hasFault(form, place) && <p class="fault">This variant has an error.</p>}
      <div class="pairs">
        <RouteInputs form={form} place={place} called={`Variant ${letter}`} />
        <Field
          form={form}
          name={`${place}.weight`}
          type="number"
          inputmode="numeric"
          label="Weight"
          within={`Variant ${letter}`}
          hint={
            <>
              1 to 100. Its share: <output id={`${place}.share`}>{formatShare(share)}</output>
            </>
          }
          updates={shareIds}
        />
      </div>
      <div class="actions">
        <EditButton
          action={action}
          does={`${place}.remove`}
          focus={index === 0 ? 'variants.add' : `field-variants.${index - 1}.name`}
          label={`Remove variant ${letter}`}
        >
          Remove variant
        </EditButton>
      </div>
    </fieldset>
  );
}
