/** An error as homeservers word it: thrown by what refuses, written by who answers. */
export class Refusal extends Error {
  constructor(status, errcode, error, more = {}) {
    super(`${errcode}: ${error}`);
    this.status = status;
    this.body = { errcode, error, ...more.body };
    this.headers = more.headers ?? {};
  }
}
