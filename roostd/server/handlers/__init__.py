"""One file a verb, named after it: `job_run.py` is `job.run`. The folder is the registry."""
