// Reports with the stock client library to a DSN, as a program that fails would, and prints what it saw.
import * as Sentry from "@sentry/node";

const { DSN: dsn } = process.env;
const statuses = [];

Sentry.init({ dsn, environment: "staging", release: "shop@1.4.1", sendClientReports: false });
const client = Sentry.getClient();
client.on("afterSendEvent", (_, { statusCode }) => statuses.push(statusCode));

function divide(by) {
  throw new RangeError(`division by ${by}`);
}

for (const by of [0, 1]) {
  try {
    divide(by);
  } catch (error) {
    Sentry.captureException(error);
  }
}
try {
  null.name;
} catch (error) {
  // Large reports are packed.
  Sentry.withScope((scope) => {
    scope.setExtra("page", "x".repeat(60_000));
    scope.setLevel("fatal");
    Sentry.captureException(error);
  });
}
Sentry.captureMessage("just saying");
const isFlushed = await Sentry.close(10_000);

console.log(JSON.stringify({ statuses, isFlushed }));
