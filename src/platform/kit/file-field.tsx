import { useWords } from '../words.tsx';
import { controlOf, FieldFrame, type FieldProps } from './form.tsx';
import { isRefused } from './summary.tsx';

/** A file of the user's. A form that is shown again says that it has none, since no page can choose one. */
export function FileField({ accept, hint, ...rest }: FieldProps & { accept: string }) {
  const again = isRefused(rest.form) && <>{useWords().text('kit.fileAgain')} </>;
  const props = { ...rest, hint: again ? [again, hint] : hint };
  const { control } = controlOf(props);
  return (
    <FieldFrame {...props}>
      <input {...control} type="file" accept={accept} />
    </FieldFrame>
  );
}
