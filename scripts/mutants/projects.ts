/** The projects of `npm test` that execute sources in the process of the test. */
export const PROJECTS = ['worker', 'isolated', 'scripts'] as const;
