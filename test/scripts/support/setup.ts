import { afterAll } from 'vitest';
import { cleanUp } from './processes.ts';

afterAll(cleanUp);
