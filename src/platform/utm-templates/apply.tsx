import type { Context } from 'hono';
import { getPreset, type Preset } from '../../links/presets/presets.ts';
import { withUtm } from '../../links/destinations/utm.ts';
import type { OwnClient, PlatformEnv } from '../env.ts';
import { Button } from '../kit/button.tsx';
import { controlId } from '../kit/fault-and-hint.tsx';
import { clientPath } from '../nav.ts';
import { useWords } from '../words.tsx';
import { utmOf } from './template-content.ts';

/** Choosing a template in the form of a link: its button puts the parameters into the destination, and saves nothing. */

const TEMPLATE = 'utm_template';
const APPLY = 'utm.apply';

/** @param action the path that the form is sent to */
export function UtmTemplates({
  client,
  templates,
  action,
}: {
  client: OwnClient;
  templates: readonly Preset[];
  action: string;
}) {
  const { text, content } = useWords();
  const path = clientPath(client, 'links/utm-templates');
  const a = (inside: string[]) => <a href={path}>{inside}</a>;
  if (templates.length === 0) {
    return <p class="quiet">{content('templates.createFirst', { a })}</p>;
  }
  return (
    <div class="field wide">
      <label for={controlId(TEMPLATE)}>{text('templates.label')}</label>
      <div class="copy">
        <select id={controlId(TEMPLATE)} name={TEMPLATE} aria-describedby={`${TEMPLATE}-hint`}>
          {templates.map(({ id, name }) => (
            <option value={id}>{name}</option>
          ))}
        </select>
        <Button kind="quiet" name="do" value={APPLY} action={`${action}#${controlId('url')}`}>
          {text('templates.apply')}
        </Button>
      </div>
      <p class="hint" id={`${TEMPLATE}-hint`}>
        {content('templates.applyHint', { a })}
      </p>
    </div>
  );
}

/**
 * The fields of the form of a link after this button, as those of a form that is shown again. Throws `not_found`.
 *
 * @param fields with the choice of a template, which is none of the link's
 */
export async function withTemplate(
  { var: { db, actor } }: Pick<Context<PlatformEnv>, 'var'>,
  { [TEMPLATE]: id = '', ...fields }: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  if (fields['do'] !== APPLY) return fields;
  const { content } = await getPreset(db, actor, 'utm', id);
  return { ...fields, do: 'update', url: withUtm(fields['url'] ?? '', utmOf(content)) };
}
