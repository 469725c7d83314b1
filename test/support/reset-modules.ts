import { vi } from 'vitest';

// Each file gets modules of its own, though others were run in this process: a file that replaces a module needs those that
// import it anew, and state of a module ends with its file.
vi.resetModules();
