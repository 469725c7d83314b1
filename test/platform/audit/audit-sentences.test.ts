import { describe, expect, it } from 'vitest';
import { AUDIT_ACTIONS } from '../../../src/accounts/audit/actions.ts';
import { sentenceOf } from '../../../src/platform/audit/audit-sentences.ts';
import { wordsIn } from '../../../src/platform/words.tsx';

const words = await wordsIn('en');

const ACTIONS = Object.entries(AUDIT_ACTIONS).flatMap(([kind, done]) => done.map((each) => `${kind}.${each}`));

const sentence = (action: string, details: object | null = null) =>
  sentenceOf(
    words,
    {
      id: 'a',
      at: 0,
      action,
      subject: { kind: action.split('.')[0]!, id: '1', name: 'Summer' },
      details,
      by: { userId: 'u', name: 'ann' },
      given: { by: null, subject: null },
      credential: { kind: 'session', id: 's' },
    },
    'UTC',
  ).replace(/[\u2066-\u2069]/g, '');

describe('an entry of the audit log', () => {
  it.each(ACTIONS)('an entry of the audit log has a sentence for %s', (action) => {
    expect(sentence(action)).not.toContain(action);
    expect(sentence(action)).toMatch(/^ann [a-z].*\.$/);
  });

  it('an entry of the audit log has the usual sentence if its kind needs no other', () => {
    expect(sentence('tag.deleted')).toBe('ann deleted the tag “Summer”.');
    expect(sentence('tag.renamed', { former_name: 'Spring' })).toBe('ann renamed the tag “Spring” to “Summer”.');
  });

  it('an entry of the audit log names its action if this version of the service does not know it', () => {
    expect(sentence('realm.created')).toBe('ann: realm.created Summer');
    expect(sentence('tag.painted')).toBe('ann: tag.painted Summer');
  });
});
