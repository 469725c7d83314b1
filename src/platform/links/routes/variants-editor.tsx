import { ItemFault } from '../../kit/fault-and-hint.tsx';
import { Field } from '../../kit/form.tsx';
import { useWords } from '../../words.tsx';
import { labelOf } from '../field-words.ts';
import { formatShare } from '../routes-in-words.ts';
import { sharesOf } from './actions.ts';
import { letterOf, MOST, nameOfVariant, type VariantDraft } from './draft.ts';
import { EditButton, hasFault, RouteInputs, UpdateButton, type EditorProps } from './editor-parts.tsx';

/** The variants of a link, to be added, changed and removed. Its buttons save nothing. */
export function VariantsEditor({ variants, ...editor }: EditorProps & { variants: readonly VariantDraft[] }) {
  const { form, action } = editor;
  const words = useWords();
  const { text } = words;
  const shares = sharesOf(variants);
  const shareIds = variants.map((_, index) => `variants.${index}.share`).join(' ');
  return (
    <div class="routes" id="variants" data-part>
      <input type="hidden" name="variants" value={String(variants.length)} />
      <p class="hint">{text('routes.variantsHint')}</p>
      <ItemFault name="variants" label={labelOf(words, 'variants')} fault={form.faults['variants']} />
      {variants.map((_, index) => (
        <VariantInputs {...{ index, shareIds, ...editor }} share={shares[index] ?? null} />
      ))}
      <div class="actions">
        {variants.length < MOST.variants && (
          <EditButton action={action} does="variants.add" focus={`field-variants.${variants.length}.name`}>
            {text(variants.length === 0 ? 'routes.addTwoVariants' : 'routes.addVariant')}
          </EditButton>
        )}
        {variants.length > 0 && <UpdateButton action={action} focus="variants" label={text('routes.updateShares')} />}
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
  const words = useWords();
  const { text, content } = words;
  const called = nameOfVariant(words)(index);
  return (
    <fieldset class="route" id={place}>
      <legend>{called}</legend>
      {hasFault(form, place) && <p class="fault">{text('routes.variantError')}</p>}
      <div class="pairs">
        <RouteInputs form={form} place={place} called={called} />
        <Field
          form={form}
          name={`${place}.weight`}
          type="number"
          inputmode="numeric"
          label={text('routes.weight')}
          within={called}
          hint={content('routes.weightHint', {
            share: formatShare(words, share),
            output: (inside) => <output id={`${place}.share`}>{inside}</output>,
          })}
          updates={shareIds}
        />
      </div>
      <div class="actions">
        <EditButton
          action={action}
          does={`${place}.remove`}
          focus={index === 0 ? 'variants.add' : `field-variants.${index - 1}.name`}
          label={text('routes.removeThisVariant', { letter: letterOf(index) })}
        >
          {text('routes.removeVariant')}
        </EditButton>
      </div>
    </fieldset>
  );
}
