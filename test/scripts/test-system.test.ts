import { expect, it } from 'vitest';
import { failuresOf } from '../../scripts/test-system.ts';

const passed = { fullName: 'a visit is counted', status: 'passed', failureMessages: [] };
const failed = { fullName: 'a click is seen', status: 'failed', failureMessages: ['AssertionError: 1\n  at line 2'] };

it('names each failed test with its file and its error', () => {
  const report = {
    testResults: [
      {
        name: '/project/test/browser/live.test.ts',
        status: 'failed' as const,
        message: '',
        assertionResults: [passed, failed],
      },
      {
        name: '/project/test/browser/links.test.ts',
        status: 'passed' as const,
        message: '',
        assertionResults: [passed],
      },
    ],
  };
  expect(failuresOf(report, '/project')).toBe(
    'test/browser/live.test.ts: a click is seen\n    AssertionError: 1\n      at line 2',
  );
});

it('says of a file that could not run why', () => {
  const message = 'Error: Chromium is not installed';
  const report = {
    testResults: [
      { name: '/project/test/browser/live.test.ts', status: 'failed' as const, message, assertionResults: [] },
    ],
  };
  expect(failuresOf(report, '/project')).toBe(`test/browser/live.test.ts\n    ${message}`);
});

it('says of a report without failures nothing', () => {
  expect(failuresOf({ testResults: [] }, '/project')).toBe('');
});
