import { spawn, type ChildProcess } from 'node:child_process';
import type { Sandbox } from './sandbox.ts';

/** Child processes of the bench, which are called over IPC. */

type Tasks<T> = { readonly [Name in keyof T]: (...args: never[]) => Promise<unknown> };

interface Question {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

type Reply = { readonly id: number } & ({ readonly value: unknown } | { readonly fault: string });

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Runs the called tasks in this process until the caller disconnects. Arguments and results travel as JSON. */
export function serve<T extends Tasks<T>>(tasks: T): void {
  process.on('message', (question: Question) => {
    void response(tasks, question).then((reply) => process.send?.(reply));
  });
  process.once('disconnect', () => process.exit());
}

async function response<T extends Tasks<T>>(tasks: T, { id, name, args }: Question): Promise<Reply> {
  try {
    return { id, value: await tasks[name as keyof T](...(args as never[])) };
  } catch (error) {
    return { id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** The caller's side of `serve`. */
export class RpcChild<T extends Tasks<T>> {
  readonly #child: ChildProcess;
  readonly #sandbox: Sandbox;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  /**
   * @param script run by the same Node as this process
   * @param prefix a command that starts another one, such as `taskset -c 0`; empty for none
   */
  constructor(sandbox: Sandbox, script: string, prefix: readonly string[]) {
    const [command, ...args] = [...prefix, process.execPath, script];
    // A Worker's own log goes to the standard output, and would mix with the report.
    const child = spawn(command ?? '', args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], detached: true });
    this.#sandbox = sandbox;
    this.#child = sandbox.adopt(child);
    child.on('message', (reply: Reply) => this.#settle(reply));
    const give = () => this.#rejectAll(new Error(`${script} has exited`));
    child.once('exit', give).once('error', give);
  }

  /** The process whose use of the machine is measured, with all that it has started. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  ask<Name extends keyof T & string>(name: Name, ...args: Parameters<T[Name]>): Promise<Awaited<ReturnType<T[Name]>>> {
    const id = this.#lastId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, name, args } satisfies Question, (error) => {
        if (error) this.#rejectAll(error);
      });
    });
  }

  /** Ends it, and all that it has started. */
  end(): Promise<void> {
    return this.#sandbox.end(this.#child);
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('fault' in reply) waiting?.reject(new Error(reply.fault));
    else waiting?.resolve(reply.value as never);
  }

  #rejectAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
