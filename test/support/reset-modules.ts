import { vi } from 'vitest';

// A file that replaces a module needs those that import it anew, and by now some are evaluated.
vi.resetModules();
