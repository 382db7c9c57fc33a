// A stage that somebody tries out: it lasts until Ctrl-C, or until munchbot ends by itself. What is wrong is said in one sentence.

/** `over`: it is to end; `told`: when it is. */
export const live = { over: false };
live.told = new Promise(resolve => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve(live.over = true));
});

/** Until it is told to end, or `done` is; munchbot must not end before. */
export const lasts = async (bot, done = new Promise(() => {})) => {
  const gone = bot.ended.then(() => `munchbot has ended: ${bot.log.trim().split('\n').at(-1)}`);
  const why = await Promise.race([live.told, done, gone]);
  live.over = true;
  if (typeof why === 'string') throw new Error(why);
};

export const inOneSentence = async run => {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`deploy/try: ${error.code === 'EADDRINUSE' ? `port ${error.port} is taken: name another with --port.` :
      error.message.split('\n')[0]}\n`);
    process.exitCode = 1;
  }
  process.exit(); // though standard input is open
};
