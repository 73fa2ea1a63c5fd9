"""Schedules and removes jobs with APScheduler, which keeps them in SQLite.

The argument is the path of the database. A line on standard input is a question, and is answered with the seconds
that it took: "add PREFIX COUNT", "remove PREFIX".
"""

import sys
import time
from datetime import datetime, timedelta, timezone

from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.date import DateTrigger


def notify(summary):
    """Would show a notification; nothing is due here."""
    print(summary, file=sys.stderr)


def add(scheduler, prefix, count):
    first = datetime.now(timezone.utc) + timedelta(days=1)
    for index in range(count):
        trigger = DateTrigger(first + timedelta(seconds=index))
        scheduler.add_job(notify, trigger, args=[f"Card {index}"], id=f"{prefix}.{index // 10}.{index % 10}")


def remove(scheduler, prefix):
    """There is no removal by prefix: all jobs are looked through."""
    for job in scheduler.get_jobs():
        if job.id.startswith(prefix + "."):
            scheduler.remove_job(job.id)


def main():
    scheduler = BackgroundScheduler(jobstores={"default": SQLAlchemyJobStore(url=f"sqlite:///{sys.argv[1]}")})
    scheduler.start()
    for line in sys.stdin:
        words = line.split()
        start = time.perf_counter()
        if words[0] == "add":
            add(scheduler, words[1], int(words[2]))
        else:
            remove(scheduler, words[1])
        print(time.perf_counter() - start, flush=True)
    scheduler.shutdown()


main()
