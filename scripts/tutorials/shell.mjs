// The shell into which a page is typed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** A reader's shell: later commands see the variables and background jobs of earlier ones. */
export class Shell {
  #shell;
  #errors;
  #printed = "";
  #typed = 0;
  #heard = () => {};

  /**
   * In the folder `cwd`, with `own` for itself and this PATH, and started by another program if
   * there is one.
   */
  constructor(cwd, own, PATH, starter) {
    this.#errors = join(own, "stderr");
    const [program, words] = starter ? [starter, ["bash"]] : ["bash", []];
    // What the starter has to complain of is for who walks. A group of its own: whatever the shell
    // has begun is ended with it.
    const options = { cwd, detached: true, env: { ...process.env, PATH }, stdio: ["pipe", "pipe", "inherit"] };
    this.#shell = spawn(program, words, options);
    // A shell that has gone takes no more words: what it printed tells that.
    this.#shell.stdin.on("error", () => {});
    this.#shell.stdout.setEncoding("utf8").on("data", (text) => {
      this.#printed += text;
      this.#heard();
    });
    this.#shell.on("exit", () => this.#heard());
    this.#shell.stdin.write("exec 2>&1\n");
  }

  /** What a block prints, errors last, until it is over. */
  async type(block) {
    this.#typed += 1;
    const end = `end of block ${this.#typed} of ${this.#shell.pid}`;
    this.#printed = "";
    // No command reads the next block as its input.
    this.#shell.stdin.write(`{\n${block}\n} </dev/null 2>'${this.#errors}'\ncat '${this.#errors}'; echo '${end}'\n`);
    await new Promise((over) => {
      this.#heard = () => {
        if (this.#printed.includes(end) || this.#shell.exitCode !== null) over();
      };
      this.#heard();
    });
    const [printed, after] = this.#printed.split(end);
    return after === undefined ? `${printed}\nthe shell has ended` : printed;
  }

  /** With all that it has begun. */
  async end() {
    if (this.#shell.exitCode !== null) return;
    const ended = once(this.#shell, "exit");
    process.kill(-this.#shell.pid, "SIGTERM");
    await ended;
  }
}
